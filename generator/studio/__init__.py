"""The studio: a page in the browser that shows a pack's cards while one edits them.

The server keeps texts, undo and tabs; a process of its own holds the session that draws. The server
imports no stage.
"""
