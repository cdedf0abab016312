import { useEffect } from 'react'
import { publication } from '#shared/publication.ts'

/** Names the page in the tab, the history and to screen readers after a navigation. */
export function usePageTitle(title: string | undefined) {
  useEffect(() => {
    if (title) document.title = `${title} · ${publication.name}`
  }, [title])
}
