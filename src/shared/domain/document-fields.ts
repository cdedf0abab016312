import type { Publication } from '../publication-defaults.ts'
import { accentStyles, logoStyles } from './accent-colors.ts'
import { announcementBar, announcementStyles } from './announcement-bar.ts'

const escapeAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** JSON inside a script element, which isn't executed, so the content security policy allows it. */
export const jsonScript = (id: string, json: string): string =>
  // A text can contain "</script>".
  `<script type="application/json" id="${id}">${json.replaceAll('<', '\\u003c')}</script>`

/** Fills the fields of index.html, such as `%name%`. */
export function fillDocument(html: string, publication: Publication): string {
  const { name, tagline, description, accent, announcement, logoDark } = publication
  const fields: Record<string, string> = {
    '%name%': escapeAttribute(name),
    '%title%': escapeAttribute(`${name}: ${tagline}`),
    '%description%': escapeAttribute(description),
    '<!--publication-->': jsonScript('publication', JSON.stringify(publication)),
    '<!--announcement-->': announcement
      ? `<style>${announcementStyles}</style>${announcementBar(announcement)}<script src="/announcement.js"></script>`
      : '',
    '<!--accent-->':
      accent || logoDark ? `<style>${accent && accentStyles(accent)}${logoDark ? logoStyles : ''}</style>` : '',
  }
  return Object.entries(fields).reduce((text, [field, value]) => text.replaceAll(field, () => value), html)
}
