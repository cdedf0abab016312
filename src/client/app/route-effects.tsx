import { useEffect, useRef } from 'react'
import { ScrollRestoration, useLocation, useMatches, useNavigation } from 'react-router'
import { announce } from '#client/ui/announce.ts'
import { publication } from '#shared/publication.ts'

/** What a route may say about itself in its `handle`. */
type RouteHandle = { title?: string }

const siteTitle = `${publication.name}: ${publication.tagline}`

export const pageTitle = (title: string | undefined) => (title ? `${title} · ${publication.name}` : siteTitle)

/**
 * What a browser does by itself when a page is loaded and a router has to do in its place: title, focus, scrolling.
 * Stands before the outlet, so that a page that knows a better title (a drop's, say) has the last word.
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
    if (isFirst || hash) return
    // The focus goes to the new page's start, or the keyboard would still be in a link that is gone. A page that asks for
    // one thing only has put it into that field already.
    if (!(document.activeElement instanceof HTMLInputElement)) {
      document.getElementById('main')?.focus({ preventScroll: true })
    }
    announce(document.title)
  }, [pathname, hash])

  return (
    <>
      <ScrollRestoration />
      <NavigationProgress />
    </>
  )
}

/** A line at the top edge once a page's code has been on its way for a moment; nothing in the layout moves. */
function NavigationProgress() {
  const { state } = useNavigation()
  if (state === 'idle') return null
  return <div aria-hidden className="navigation-progress fixed inset-x-0 top-0 z-50 h-0.5 bg-accent" />
}
