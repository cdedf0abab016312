import { clsx } from 'clsx'

/**
 * Text that our own server rendered from Markdown with HTML switched off: what an editor writes as a tag arrives here
 * as visible text. The only place in the client that sets markup.
 */
export function TrustedHtml({ html, className }: { html: string; className?: string }) {
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by the server from Markdown that cannot contain HTML
    <div className={clsx('prose', className)} dangerouslySetInnerHTML={{ __html: html }} />
  )
}
