/* Pictures that the server takes a second to draw. They are loaded one after another: a browser
 * has six connections to a server, and everything else on the page needs them, too. */
import { useEffect, useState } from "../../vendor/preact.js";

let turn = Promise.resolve();

/** Return the address of the last picture asked for that has loaded, "" before the first. */
export function usePictureInTurn(src) {
  const [shown, setShown] = useState("");
  useEffect(() => {
    let isWanted = true;
    const load = async () => {
      if (!isWanted) return;
      const image = new Image();
      image.src = src;
      await image.decode();
      if (isWanted) setShown(src);
    };
    turn = turn.then(load).catch(() => {}); // the next one comes all the same
    return () => {
      isWanted = false;
    };
  }, [src]);
  return shown;
}
