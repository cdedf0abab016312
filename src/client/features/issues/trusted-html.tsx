import { clsx } from 'clsx'

/**
 * Shows HTML that our server rendered from Markdown. The server escapes tags in the source. This is the only place in the
 * client that sets HTML.
 */
export function TrustedHtml({ html, className }: { html: string; className?: string }) {
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by the server from Markdown that cannot contain HTML
    <div className={clsx('prose', className)} dangerouslySetInnerHTML={{ __html: html }} />
  )
}
