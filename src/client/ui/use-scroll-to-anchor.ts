import { useEffect } from 'react'
import { useLocation } from 'react-router'

/**
 * Scrolls to the element that the URL's hash names, once the content is on the page: the browser and the router look for
 * it earlier.
 * @returns the hash without #
 */
export function useScrollToAnchor(isLoaded = true): string {
  const { hash, key } = useLocation()
  const anchor = hash.slice(1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a second click on the same link scrolls again
  useEffect(() => {
    if (anchor && isLoaded) document.getElementById(anchor)?.scrollIntoView()
  }, [anchor, isLoaded, key])
  return anchor
}
