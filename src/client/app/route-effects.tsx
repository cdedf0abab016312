import { useEffect, useRef } from 'react'
import { type Location, ScrollRestoration, useLocation, useMatches, useNavigation } from 'react-router'
import { isOpenedAnew } from '#client/lib/opened-anew.ts'
import { announceTitle, pageTitle, skipTitleAnnouncement } from '#client/ui/use-page-title.ts'

type RouteHandle = { title?: string }

/** The router gives every page load the same key. Its position belongs to its address. */
const positionKey = ({ key, pathname }: Location) => (key === 'default' ? pathname : key)

// A newly opened page starts at the top. Reload and Back restore the scroll position.
if (isOpenedAnew) sessionStorage.removeItem('react-router-scroll-positions')

/**
 * Sets title, focus and scroll position after a navigation, as browsers do on a page load. Rendered before the outlet,
 * so that a page can override the title.
 */
export function RouteEffects() {
  const { pathname, hash } = useLocation()
  const matches = useMatches()
  const title = matches.findLast((match) => (match.handle as RouteHandle | undefined)?.title)
  const wanted = pageTitle((title?.handle as RouteHandle | undefined)?.title)
  const previous = useRef<string | null>(null)

  useEffect(() => {
    document.title = wanted
  }, [wanted])

  useEffect(() => {
    const isFirst = previous.current === null
    if (previous.current === pathname) return
    previous.current = pathname
    if (isFirst || hash) {
      skipTitleAnnouncement(pathname)
      return
    }
    // Move focus to the start of the page, unless the page has focused an input.
    if (!(document.activeElement instanceof HTMLInputElement)) {
      document.getElementById('main')?.focus({ preventScroll: true })
    }
    announceTitle(pathname)
  }, [pathname, hash])

  return (
    <>
      <ScrollRestoration getKey={positionKey} />
      <NavigationProgress />
    </>
  )
}

/** A line at the top edge while a page's code is loading; CSS delays it. */
function NavigationProgress() {
  const { state } = useNavigation()
  if (state === 'idle') return null
  return <div aria-hidden className="navigation-progress fixed inset-x-0 top-0 z-50 h-0.5 bg-accent" />
}
