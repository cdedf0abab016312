import type { Publication } from '../publication-defaults.ts'
import { announcementBar, announcementStyles } from './announcement-bar.ts'
import { designs, fontFiles, lookAttribute, lookStyles } from './designs.ts'

const escapeAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** JSON inside a script element, which isn't executed, so the content security policy allows it. */
export const jsonScript = (id: string, json: string): string =>
  // A text can contain "</script>".
  `<script type="application/json" id="${id}">${json.replaceAll('<', '\\u003c')}</script>`

/** As the build writes them (scripts/build/html-head.ts), for all designs. */
const fontPreload = /<link rel="preload"[^>]* data-font="([a-z-]+)"[^>]*>\s*/g

/** Fills the fields of index.html, such as `%name%`. */
export function fillDocument(html: string, publication: Publication): string {
  const { name, tagline, description, announcement, look } = publication
  const { light, dark } = designs[look.design]
  const styles = lookStyles(publication)
  const fields: Record<string, string> = {
    '%name%': escapeAttribute(name),
    '%title%': escapeAttribute(`${name}: ${tagline}`),
    '%description%': escapeAttribute(description),
    '%look%': lookAttribute(look),
    // The phone's bar continues a band at the top.
    '%theme-light%': look.design === 'bulletin' ? dark.paper : light.paper,
    '%theme-dark%': dark.paper,
    '<!--publication-->': jsonScript('publication', JSON.stringify(publication)),
    '<!--announcement-->': announcement
      ? `<style>${announcementStyles}</style>${announcementBar(announcement)}<script src="/announcement.js"></script>`
      : '',
    '<!--accent-->': styles && `<style>${styles}</style>`,
  }
  return Object.entries(fields)
    .reduce((text, [field, value]) => text.replaceAll(field, () => value), html)
    .replaceAll(fontPreload, (tag, font) => (fontFiles[look.fonts].includes(font) ? tag : ''))
}
