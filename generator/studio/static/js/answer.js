import { useEffect, useState } from "../vendor/preact.js";

/**
 * Return the last answer to a question, {found} or {error}; it is empty before the first. `ask()`
 * gives a promise; it is asked again when one of the values changes.
 */
export function useAnswer(ask, values) {
  const [answer, setAnswer] = useState({});
  useEffect(() => {
    let isWanted = true;
    const take = (given) => isWanted && setAnswer(given);
    ask().then(
      (found) => take({ found }),
      (error) => take({ error }),
    );
    return () => {
      isWanted = false;
    };
  }, values);
  return answer;
}
