import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { shareImageSize } from '#server/pages/page-head.ts'
import { designs, type Look } from '#shared/domain/designs.ts'
import { formatDay } from '#shared/domain/format.ts'
import type { Publication } from '#shared/publication-defaults.ts'

type Style = Record<string, string | number>
/** A node as satori takes it, without a library of components. */
type Node = { type: 'div'; props: { style: Style; children: (Node | string)[] | string } }

const box = (style: Style, ...children: (Node | string)[]): Node => ({
  type: 'div',
  props: { style: { display: 'flex', ...style }, children },
})
const line = (text: string, style: Style): Node => ({ type: 'div', props: { style, children: text } })

/** The renderer takes no WOFF2, which pages have. */
const fontFiles = {
  fraunces: import.meta.resolve('@fontsource/fraunces/files/fraunces-latin-600-normal.woff'),
  book: import.meta.resolve('@fontsource/fraunces/files/fraunces-latin-300-normal.woff'),
  condensed: import.meta.resolve('@fontsource/instrument-sans/files/instrument-sans-latin-700-normal.woff'),
  text: import.meta.resolve('@fontsource/instrument-sans/files/instrument-sans-latin-400-normal.woff'),
} as const
const readFonts = (titles: Look['fonts']) =>
  ([titles, 'text'] as const).map((name) => ({
    name: name === 'text' ? 'text' : 'titles',
    weight: 400 as const,
    data: readFileSync(fileURLToPath(fontFiles[name])),
  }))

const maxTitle = 140
const shortened = (text: string) => (text.length <= maxTitle ? text : `${text.slice(0, maxTitle - 1).trimEnd()}…`)
/** Long titles are smaller, so that they have at most four lines. */
const sizeOf = ({ length }: string) => (length > 90 ? 56 : length > 50 ? 68 : 80)

/** The second line of the rule: Counter's is double, Folio's thin, Bulletin's thick. */
const ruleBelow = { counter: 2, folio: 0, bulletin: 8 } as const

type Shared = { title: string; number?: number; date?: string }

/** The picture of a link preview: title, number and date in the publication's type and colors, as PNG. */
export async function renderShareImage(publication: Publication, { title, number, date }: Shared): Promise<Buffer> {
  const [{ default: satori }, { default: sharp }] = await Promise.all([import('satori'), import('sharp')])
  const { name, tagline, look } = publication
  const { light, color } = designs[look.design]
  const facts = [...(number ? [`No. ${number}`] : []), ...(date ? [formatDay(date)] : [])].join('  ·  ')
  const shown = shortened(title)
  const picture = box(
    {
      flexDirection: 'column',
      width: shareImageSize.width - 2 * 72,
      height: shareImageSize.height - 2 * 64,
      padding: '64px 72px',
      backgroundColor: light.paper,
      color: light.ink,
      fontFamily: 'text',
    },
    box(
      { justifyContent: 'space-between', alignItems: 'flex-end', fontSize: 34 },
      line(name, {
        fontFamily: 'titles',
        fontSize: 44,
        color: publication.accent || color,
      }),
      line(facts, { color: light.muted }),
    ),
    box({ height: look.design === 'folio' ? 2 : 4, marginTop: 24, backgroundColor: light.ink }),
    box({ height: ruleBelow[look.design], marginTop: look.design === 'counter' ? 5 : 0, backgroundColor: light.ink }),
    box(
      { flexGrow: 1, alignItems: 'center' },
      line(shown, { fontFamily: 'titles', fontSize: sizeOf(shown), lineHeight: 1.15 }),
    ),
    box(
      { alignItems: 'center', fontSize: 30, color: light.muted },
      box({ width: 48, height: 6, marginRight: 20, backgroundColor: light.accent }),
      tagline,
    ),
  )
  const svg = await satori(picture as never, { ...shareImageSize, fonts: readFonts(look.fonts) })
  return sharp(Buffer.from(svg)).png({ palette: true }).toBuffer()
}
