import type { Publication } from '../publication-defaults.ts'

type Announcement = NonNullable<Publication['announcement']>

/** Holds the id of the announcement that the reader has dismissed. Read by public/announcement.js too. */
export const dismissedCookie = 'announcement'
export const dismissPath = '/announcement/dismiss'

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const cross =
  '<svg aria-hidden="true" viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round"><path d="M18 6 6 18M6 6l12 12" /></svg>'

/** The bar above all pages. Its button works without a script: `back` is where it returns to. */
export function announcementBar({ id, text, href, until }: Announcement, back = '/'): string {
  const words = href ? `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>` : escapeHtml(text)
  return `<aside id="announcement" class="announcement" aria-label="Announcement" data-id="${id}"${until ? ` data-until="${until}"` : ''}><div><p dir="auto">${words}</p><form method="post" action="${dismissPath}"><input type="hidden" name="id" value="${id}"><input type="hidden" name="back" value="${escapeHtml(back)}"><button aria-label="Dismiss announcement">${cross}</button></form></div></aside>`
}

/** With the colors of palette.css. */
export const announcementStyles =
  '.announcement{background:var(--sunken);border-bottom:1px solid var(--line);color:var(--ink);font-size:.9375rem;line-height:1.4}.announcement>div{display:flex;align-items:center;gap:.75rem;max-width:var(--page-width);margin-inline:auto;padding-left:max(16px,.75rem)}.announcement p{flex:1;min-width:0;margin:0;padding-block:.5rem;overflow-wrap:anywhere}.announcement a{color:var(--primary);font-weight:600;text-decoration:underline;text-underline-offset:.2em}.announcement form{display:flex}.announcement button{display:inline-flex;align-items:center;justify-content:center;flex:none;width:44px;min-height:44px;padding:0;border:0;background:none;color:var(--muted);cursor:pointer}.announcement button:hover{background:none;color:var(--ink)}.announcement :focus-visible{outline:3px solid var(--focus);outline-offset:-3px}@media (min-width:48rem){.announcement>div{padding-inline:2rem 1.25rem}}@media print{.announcement{display:none}}'
