import { StreamLanguage } from "@codemirror/language";

const KINDS = ["string", "number", "atom", "keyword"];

/** Colours the columns of a table in turn; quoted cells may hold line ends. */
export const csv = StreamLanguage.define({
  name: "csv",
  startState: () => ({ column: 0, quoted: false, head: true }),
  token(stream, state) {
    if (stream.sol() && !state.quoted) state.column = 0;
    const kind = state.head ? "heading" : KINDS[state.column % KINDS.length];
    if (!state.quoted && stream.eat(/[,;\t]/)) {
      state.column += 1;
      return "punctuation";
    }
    if (!state.quoted && stream.eat('"')) state.quoted = true;
    if (state.quoted) {
      while (!stream.eol()) {
        if (stream.next() !== '"') continue;
        if (stream.eat('"')) continue;
        state.quoted = false;
        break;
      }
    } else {
      stream.match(/^[^,;\t]+/);
    }
    if (stream.eol() && !state.quoted) state.head = false;
    return kind;
  },
  blankLine(state) {
    if (!state.quoted) state.head = false;
  },
});
