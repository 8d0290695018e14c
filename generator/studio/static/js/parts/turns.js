/* Pictures that the server takes a second to draw. They are loaded one after another: a browser
 * has six connections to a server, and everything else on the page needs them, too. */
import { useEffect, useState } from "../../vendor/preact.js";

const waiting = [];
let loading = null;

/** Return the address of the last picture asked for that has loaded, "" before the first. */
export function usePictureInTurn(src) {
  const [shown, setShown] = useState("");
  useEffect(() => {
    const turn = { src, tell: () => setShown(src) };
    waiting.push(turn);
    next();
    return () => {
      turn.tell = null;
    };
  }, [src]);
  return shown;
}

function next() {
  if (loading) return;
  const turn = waiting.shift();
  if (!turn) return;
  if (!turn.tell) {
    next();
    return;
  }
  loading = new Image();
  const end = () => {
    loading = null;
    next();
  };
  loading.onload = () => {
    turn.tell?.();
    end();
  };
  loading.onerror = end;
  loading.src = turn.src;
}
