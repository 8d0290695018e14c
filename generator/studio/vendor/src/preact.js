export {
  Component,
  Fragment,
  cloneElement,
  createContext,
  createRef,
  h,
  hydrate,
  render,
  toChildArray,
} from "preact";
export {
  useCallback,
  useContext,
  useEffect,
  useErrorBoundary,
  useId,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "preact/hooks";
export {
  Signal,
  batch,
  computed,
  effect,
  signal,
  untracked,
  useComputed,
  useSignal,
  useSignalEffect,
} from "@preact/signals";
import { h } from "preact";
import htm from "htm";

export const html = htm.bind(h);
