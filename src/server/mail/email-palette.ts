import { accentColors } from '#shared/domain/accent-colors.ts'
import { accentOf, type DesignName, designs } from '#shared/domain/designs.ts'
import type { Publication } from '#shared/publication-defaults.ts'

/**
 * The design tokens of pages as hex colors: email clients support neither color functions nor custom properties. Templates
 * use Counter's, which `applyLook` replaces with those of the chosen design. Each name is also a class in the markup.
 */
export const light = { ...designs.counter.light, pine: '#0f533c', onPine: '#fcfaf5' }
const dark = { ...designs.counter.dark, pine: '#7acfa7', onPine: '#061b12' }

/** System fonts only: Outlook on Windows shows Times New Roman for a stack that starts with a font it doesn't have. */
export const serif = "Georgia, 'Times New Roman', serif"
export const sans = "'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
export const mono = "Consolas, Menlo, 'Courier New', monospace"

/** Bulletin's band behind the name, dark in both themes. */
const band = (padding: string) => `background-color:${designs.bulletin.dark.paper};padding:${padding}`
/** Declarations that a design appends to the styles of a class, in Counter's tokens. The later one wins, also in Outlook. */
const added: Readonly<Record<DesignName, Readonly<Record<string, string>>>> = {
  counter: {},
  folio: {
    title: 'font-weight:400;font-size:36px;line-height:44px;letter-spacing:-0.6px',
    heading: 'font-weight:400;letter-spacing:-0.2px',
    name: 'font-weight:400;font-size:27px;line-height:34px;padding-bottom:12px',
    aside: 'padding-top:8px',
    double: 'border-top-width:1px;border-bottom-width:0',
    quote: `border-left-width:0;border-top:1px solid ${light.line};border-bottom:1px solid ${light.line};background-color:${light.paper}`,
  },
  bulletin: {
    title: 'font-weight:700;font-size:34px;line-height:38px;letter-spacing:-0.8px',
    heading: 'font-weight:700;letter-spacing:-0.3px',
    rule: 'border-top-width:5px',
    name: `${band('14px 16px')};color:${designs.bulletin.dark.ink};font-weight:700`,
    aside: `${band('14px 16px')};color:${designs.bulletin.dark.muted}`,
    double: `border-top:6px solid ${light.accent};border-bottom-width:0`,
  },
}
const radii = { square: '0', slight: '', round: '10px' } as const

/**
 * Applies the publication's look to an email: colors, fonts, corners and the design's own styles, inline and in the
 * dark mode rules. No text can contain `style="`, because its quotation marks are escaped.
 */
export function applyLook(html: string, publication: Pick<Publication, 'look' | 'accent'>): string {
  const { design, fonts, corners } = publication.look
  const accent = accentOf(publication)
  const chosen = accent ? accentColors(accent) : null
  const own = (theme: 'light' | 'dark') => ({
    ...designs[design][theme],
    ...(chosen && { pine: chosen[theme].primary, onPine: chosen[theme].onPrimary }),
  })
  const recolor = (from: typeof light, to: Partial<typeof light>) => {
    const byColor = new Map(Object.entries(from).map(([name, color]) => [color, to[name as keyof typeof to] ?? color]))
    return (styles: string) => styles.replaceAll(/#[0-9a-f]{6}/g, (color) => byColor.get(color) ?? color)
  }
  const [inLight, inDark] = [recolor(light, own('light')), recolor(dark, own('dark'))]
  const titles = fonts === 'condensed' ? sans : serif
  const dress = (tag: string) => {
    const [, names = ''] = /class="([^"]*)"/.exec(tag) ?? []
    const list = names.split(' ')
    const more = list.flatMap((name) => added[design][name] ?? [])
    if (fonts === 'book' && list.includes('text')) more.push(`font-family:${serif}`)
    return tag.replace(/bgcolor="[^"]*"/, inLight).replace(/style="([^"]*)"/, (_, style: string) => {
      const shaped = style.replaceAll(serif, () => titles)
      const rounded = radii[corners]
        ? shaped.replaceAll(/border-radius:[^;]*/g, (radius) => radius.replaceAll(/[345]px/g, radii[corners]))
        : shaped
      return `style="${inLight([rounded, ...more].join(';'))}"`
    })
  }
  return html.replace(/<[a-z0-9]+ [^>]*style="[^>]*>/g, dress).replace(/<style>[^<]*<\/style>/g, inDark)
}

/** Dashes as on the site; clients that don't know them show dots. */
export const dashes = "list-style-type:'–  '"

/** Dark mode styles by class. Every element with an inline color has one of these classes. */
const darkRules: Record<string, Partial<Record<'color' | 'background-color' | 'border-color', string>>> = {
  paper: { 'background-color': dark.paper },
  sunken: { 'background-color': dark.sunken },
  quote: { 'background-color': dark.sunken, 'border-color': dark.pine },
  ink: { color: dark.ink },
  muted: { color: dark.muted },
  line: { 'border-color': dark.line },
  strong: { 'border-color': dark.lineStrong },
  rule: { 'border-color': dark.ink },
  example: { 'border-color': dark.accent },
  pine: { color: dark.pine },
  button: { 'background-color': dark.pine, color: dark.onPine },
  quiet: { 'background-color': dark.card, 'border-color': dark.lineStrong, color: dark.ink },
  mark: { color: dark.accent },
  reason: { color: dark.accentInk },
  placeholder: { 'background-color': dark.accentSoft, color: dark.accentInk },
}

function declare(used: ReadonlySet<string>, scopeOf: (property: string) => string): string {
  const lines = Object.entries(darkRules)
    .filter(([name]) => used.has(name))
    .flatMap(([name, rule]) =>
      Object.entries(Object.groupBy(Object.entries(rule), ([property]) => scopeOf(property))).map(
        ([scope, entries = []]) =>
          `${scope}.${name} { ${entries.map(([property, value]) => `${property}: ${value} !important`).join('; ')} }`,
      ),
    )
  return lines.join('\n')
}

/**
 * Dark mode rules for the classes used in `body`: by media query, and for Outlook on the web and mobile, which rewrites
 * colors and marks them with `data-ogsc` and `data-ogsb`.
 */
export function darkStyles(body: string): string {
  const used = new Set([...body.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' ')))
  const byOutlook = declare(used, (property) => (property === 'color' ? '[data-ogsc] ' : '[data-ogsb] '))
  return `@media (prefers-color-scheme: dark) {\n${declare(used, () => '')}\n}\n${byOutlook}`
}
