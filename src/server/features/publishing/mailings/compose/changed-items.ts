import { type EmailConfig, escapeHtml, headingHtml, linkRowHtml, linkRowsHtml } from '#server/mail/email-document.ts'
import { applyLook, light } from '#server/mail/email-palette.ts'
import { textColumns, wrapText } from '#server/mail/wrap-text.ts'
import type { ChangedItem } from '#shared/contracts/publishing/newsletter.ts'
import { stripMarkers } from './personal-parts.ts'
import { encodeFragment } from './quoted-printable.ts'

const title = 'Changes to what you saved, copied, or downloaded'

/** Above the list of changed items, in both versions of an email. */
const changesHead = {
  html: `<hr class="strong" style="margin:40px 0 0;border:0;border-top:1px solid ${light.lineStrong}">
${headingHtml(title)}\n${linkRowsHtml.before}`,
  text: `${'-'.repeat(textColumns)}\n\n${title.toUpperCase()}\n`,
}

/**
 * Encodes each changed item once. The returned function joins those of a reader in the order of the items: a few
 * buffers, whatever their length. Its links aren't tracked.
 */
export function encodeChangedItems(
  items: readonly ChangedItem[],
  { publicUrl, settings: { publication } }: EmailConfig,
) {
  const encoded = {
    html: {
      head: encodeFragment(applyLook(changesHead.html, publication)),
      end: encodeFragment(`${linkRowsHtml.after}\n`),
    },
    text: { head: encodeFragment(changesHead.text), end: encodeFragment('\n') },
  }
  const byKey = new Map(
    items.map((item, place) => [
      item.key,
      {
        place,
        html: encodeFragment(applyLook(itemHtml(item, publicUrl), publication)),
        text: encodeFragment(itemText(item, publicUrl)),
      },
    ]),
  )
  return (keys: readonly string[] | undefined, html: boolean): Buffer => {
    const version = html ? 'html' : 'text'
    const own = keys?.flatMap((key) => byKey.get(key) ?? []) ?? []
    if (own.length === 0) return nothing
    const pieces = own.sort((a, b) => a.place - b.place).map((item) => item[version])
    return Buffer.concat([encoded[version].head, ...pieces, encoded[version].end])
  }
}

const nothing = Buffer.alloc(0)

const itemHtml = ({ title: name, note, path }: ChangedItem, publicUrl: string) =>
  linkRowHtml({
    label: escapeHtml(stripMarkers(name)),
    href: escapeHtml(publicUrl + path),
    detail: escapeHtml(stripMarkers(note)),
  })

/** All classes of the list, for the dark mode rules. */
export const changesLook = changesHead.html + itemHtml({ key: '', title: '', path: '', note: '' }, '')

const itemText = ({ title: name, note, path }: ChangedItem, publicUrl: string) =>
  `${wrapText(`- ${stripMarkers(name)}${note ? `: ${stripMarkers(note)}` : ''}`, textColumns, '  ')}\n  ${publicUrl}${path}\n`
