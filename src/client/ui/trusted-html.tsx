import { clsx } from 'clsx'
import type { MouseEvent, SyntheticEvent } from 'react'
import { useNavigate } from 'react-router'

const openFile = async (file: string | HTMLAudioElement) =>
  (await import('#client/lib/open-text-file.ts')).openTextFile(file)

/**
 * Shows HTML that our server rendered from Markdown, or the build from our own. Tags in the source are escaped. This is the only place in the
 * client that sets HTML.
 */
export function TrustedHtml({ html, className }: { html: string; className?: string }) {
  const navigate = useNavigate()

  /** Opens links to the portal and to sections of the page without loading the application again. */
  const handleClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const path = link?.getAttribute('href')
    const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (!path || !/^(?:#|\/portal\/|\/files\/)/.test(path) || isModified || event.defaultPrevented) return
    event.preventDefault()
    if (path.startsWith('/files/')) void openFile(path)
    else void navigate(path)
  }

  /** A player asks for the sound when it is played. Members get an address of their own. */
  const handlePlay = ({ target }: SyntheticEvent) => {
    if (target instanceof HTMLAudioElement && /^\/files\/[^?]+$/.test(target.getAttribute('src') ?? ''))
      void openFile(target)
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser turns Enter on a link into a click
    // biome-ignore lint/a11y/noStaticElementInteractions: only links inside react
    <div
      className={clsx('prose', className)}
      onClick={handleClick}
      onPlayCapture={handlePlay}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by the server from Markdown that cannot contain HTML
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}
