import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { publication } from '#client/lib/publication.ts'
import { announce } from './announce.ts'

export const pageTitle = (title: string | undefined) =>
  title ? `${title} · ${publication.name}` : `${publication.name}: ${publication.tagline}`

/** The path whose title screen readers have heard, from the browser or from `announceTitle`. */
let announcedPath: string | null = null

/** Announces the title after a navigation. Waits until the page has set its own title. */
export function announceTitle(pathname: string) {
  setTimeout(() => {
    announcedPath = pathname
    announce(document.title)
  })
}

/** For the first page, whose title the browser has announced. */
export function skipTitleAnnouncement(pathname: string) {
  announcedPath = pathname
}

/** Sets the document title. A later change on the same path, as from sign-up to onboarding, is announced. */
export function usePageTitle(title: string | undefined) {
  const { pathname } = useLocation()
  useEffect(() => {
    if (!title) return
    const next = pageTitle(title)
    if (document.title !== next && announcedPath === pathname) announce(next)
    document.title = next
  }, [title, pathname])
}
