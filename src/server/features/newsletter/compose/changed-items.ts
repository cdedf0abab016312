import { escapeHtml } from '#server/mail/email-document.ts'
import { light, sans } from '#server/mail/email-palette.ts'
import { textColumns, wrapText } from '#server/mail/wrap-text.ts'
import type { ChangedItem } from '#shared/contracts/newsletter.ts'
import { stripMarkers } from './personal-parts.ts'
import { encodeFragment } from './quoted-printable.ts'

const title = 'Changed since you kept it'

/** Above the list of changed items, in both versions of an email. */
export const changesHead = {
  html: `<hr class="line" style="margin:36px 0 0;border:0;border-top:1px solid ${light.line}">
<p class="ink" style="margin:24px 0 6px;font:600 14px/20px ${sans};color:${light.ink}">${title}</p>\n`,
  text: `${'-'.repeat(textColumns)}\n\n${title.toUpperCase()}\n`,
}

/**
 * Encodes each changed item once. The returned function joins those of a reader in the order of the items: a few
 * buffers, whatever their length. Its links aren't tracked.
 */
export function encodeChangedItems(items: readonly ChangedItem[], publicUrl: string) {
  const encoded = {
    html: { head: encodeFragment(changesHead.html), end: nothing },
    text: { head: encodeFragment(changesHead.text), end: encodeFragment('\n') },
  }
  const byKey = new Map(
    items.map((item, place) => [
      item.key,
      { place, html: encodeFragment(itemHtml(item, publicUrl)), text: encodeFragment(itemText(item, publicUrl)) },
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
  `<p class="muted" style="margin:0 0 12px;font:400 15px/22px ${sans};color:${light.muted}"><a class="pine" href="${escapeHtml(publicUrl + path)}" style="color:${light.pine}">${escapeHtml(stripMarkers(name))}</a>${note ? `<br>${escapeHtml(stripMarkers(note))}` : ''}</p>\n`

const itemText = ({ title: name, note, path }: ChangedItem, publicUrl: string) =>
  `${wrapText(`- ${stripMarkers(name)}${note ? `: ${stripMarkers(note)}` : ''}`, textColumns, '  ')}\n  ${publicUrl}${path}\n`
