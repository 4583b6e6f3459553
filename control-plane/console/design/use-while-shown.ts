import { useCallback, useEffect, useRef } from 'react';

/**
 * Does something only while the component is in the page. A slow answer may come when somebody has closed its dialog
 * or gone to another page: it must neither lead them away from there nor close what they have opened since.
 *
 *     const whileShown = useWhileShown();
 *     const keep = useMutation({ mutationFn, onSuccess: () => whileShown(onClose) });
 */
export function useWhileShown(): <Result>(act: () => Result) => Result | undefined {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return useCallback((act) => (isShown.current ? act() : undefined), []);
}
