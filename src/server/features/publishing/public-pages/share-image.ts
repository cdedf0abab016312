import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { light } from '#server/mail/email-palette.ts'
import { shareImageSize } from '#server/pages/page-head.ts'
import { accentColors } from '#shared/domain/accent-colors.ts'
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

const fontFiles = [
  ['Fraunces', 600, import.meta.resolve('@fontsource/fraunces/files/fraunces-latin-600-normal.woff')],
  [
    'Instrument Sans',
    400,
    import.meta.resolve('@fontsource/instrument-sans/files/instrument-sans-latin-400-normal.woff'),
  ],
] as const
let fonts: { name: string; weight: 400 | 600; data: Buffer }[] | null = null
/** The renderer takes no WOFF2, which pages have. */
const readFonts = () => {
  fonts ??= fontFiles.map(([name, weight, file]) => ({
    name,
    weight,
    data: readFileSync(fileURLToPath(file)),
  }))
  return fonts
}

const maxTitle = 140
const shortened = (text: string) => (text.length <= maxTitle ? text : `${text.slice(0, maxTitle - 1).trimEnd()}…`)
/** Long titles are smaller, so that they have at most four lines. */
const sizeOf = ({ length }: string) => (length > 90 ? 56 : length > 50 ? 68 : 80)

type Shared = { title: string; number?: number; date?: string }

/** The picture of a link preview: title, number and date in the publication's type and colors, as PNG. */
export async function renderShareImage(
  { name, tagline, accent }: Publication,
  { title, number, date }: Shared,
): Promise<Buffer> {
  const [{ default: satori }, { default: sharp }] = await Promise.all([import('satori'), import('sharp')])
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
      fontFamily: 'Instrument Sans',
    },
    box(
      { justifyContent: 'space-between', alignItems: 'flex-end', fontSize: 34 },
      line(name, {
        fontFamily: 'Fraunces',
        fontWeight: 600,
        fontSize: 44,
        color: accent ? accentColors(accent).light.primary : light.pine,
      }),
      line(facts, { color: light.muted }),
    ),
    box({ height: 4, marginTop: 24, backgroundColor: light.ink }),
    box({ height: 2, marginTop: 5, backgroundColor: light.ink }),
    box(
      { flexGrow: 1, alignItems: 'center' },
      line(shown, { fontFamily: 'Fraunces', fontWeight: 600, fontSize: sizeOf(shown), lineHeight: 1.15 }),
    ),
    box(
      { alignItems: 'center', fontSize: 30, color: light.muted },
      box({ width: 48, height: 6, marginRight: 20, backgroundColor: light.accent }),
      tagline,
    ),
  )
  const svg = await satori(picture as never, { ...shareImageSize, fonts: readFonts() })
  return sharp(Buffer.from(svg)).png({ palette: true }).toBuffer()
}
