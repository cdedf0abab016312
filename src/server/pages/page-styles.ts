import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { announcementStyles } from '#shared/domain/announcement-bar.ts'
import { fontFiles, lookStyles } from '#shared/domain/designs.ts'
import type { Publication } from '#shared/publication-defaults.ts'

export const pageStylesPath = '/pages.css'

/** The fonts of the designs, Latin only, by file name. */
export const pageFonts: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(fontFiles)
    .flat()
    .map((name) => [`${name}.woff2`, `@fontsource-variable/${name.split('-latin')[0]}/files/${name}-normal.woff2`]),
)

/** Font files that every page with this look needs. */
export const preloadedFonts = ({ look }: Publication): string[] => fontFiles[look.fonts].map((name) => `${name}.woff2`)

const ownStyles = (publication: Publication): string =>
  lookStyles(publication) + (publication.announcement ? announcementStyles : '')

/** Styles of server-rendered pages: the site's palette, type and components, the designs, and what the publisher chose. */
export const pageStyles = (publication: Publication): string => `${styles}${ownStyles(publication)}\n`

/** The address of the styles, another one after each change of what the publisher chose. */
export function pageStylesAddress(publication: Publication): string {
  const version = createHash('sha256').update(ownStyles(publication)).digest('base64url').slice(0, 8)
  return `${pageStylesPath}?${version}`
}

const shared = ['palette', 'font-stand-ins', 'designs']
  .map((name) => readFileSync(fileURLToPath(import.meta.resolve(`#shared/${name}.css`)), 'utf8'))
  .join('')

const styles = `${shared}
@font-face {
  font-family: "Fraunces Variable"; font-display: swap; font-weight: 100 900;
  src: url("/pages/fraunces-latin-wght.woff2") format("woff2");
}
@font-face {
  font-family: "Instrument Sans Variable"; font-display: swap; font-weight: 400 700;
  src: url("/pages/instrument-sans-latin-wght.woff2") format("woff2");
}
@font-face {
  font-family: "Fraunces Optical"; font-display: swap; font-weight: 100 900;
  src: url("/pages/fraunces-latin-opsz.woff2") format("woff2");
}
@font-face {
  font-family: "Instrument Sans Narrow"; font-display: swap; font-weight: 400 700; font-stretch: 75%;
  src: url("/pages/instrument-sans-latin-standard.woff2") format("woff2");
}
:where(:root) {
  --font-display: "Fraunces Variable", "Fraunces Stand-in", Georgia, serif;
  --font-sans: "Instrument Sans Variable", "Instrument Sans Stand-in", system-ui, sans-serif;
  --font-mono: ui-monospace, Menlo, Consolas, monospace;
}
* { box-sizing: border-box; }
:where(.prose) :where(*) { margin: 0; padding: 0; }
:where(.prose) hr { border: 0; }
html {
  background: var(--background); color: var(--ink); overflow-y: scroll; text-size-adjust: 100%;
  font: 400 1rem/1.5 var(--font-sans);
}
body {
  display: flex; flex-direction: column; min-height: 100dvh; margin: 0;
  overflow-wrap: anywhere; -webkit-font-smoothing: antialiased;
}
.page { width: 100%; max-width: var(--page-width); margin-inline: auto; padding-inline: max(16px, 0.75rem); }
.masthead { border-bottom: 1px solid var(--line); }
.masthead .page { display: flex; flex-wrap: wrap; align-items: center; gap: 0 12px; min-height: 64px; }
.wordmark {
  display: inline-flex; align-items: center; gap: 8px; min-height: 44px; border-radius: var(--radius-sm);
  color: var(--ink); font-size: 1.375rem; line-height: 1.75rem; text-decoration: none;
}
.masthead nav { display: flex; flex-wrap: wrap; gap: 0 1rem; margin-left: auto; font-weight: 600; }
.masthead nav a { display: inline-flex; align-items: center; min-height: 44px; color: inherit; text-decoration: none; }
.masthead nav a:hover, footer nav a:hover { text-decoration: underline; }
/* As tall as the logo of the site's header. */
.wordmark img { display: block; }
.wordmark svg { width: 1.5rem; height: 1.5rem; flex: none; color: var(--primary); }
.wordmark, h1, h2 {
  font-family: var(--font-display); font-weight: var(--title-weight); letter-spacing: var(--title-spacing);
}
.sandbox-mark {
  padding-inline: 6px; border: 1px solid var(--line-strong); border-radius: var(--radius-sm);
  color: var(--muted); font-size: 0.8125rem; line-height: 1.25rem; font-weight: 500;
}
main { flex: 1; padding-block: 3rem 6rem; outline: none; }
main.column > :not(h1) { max-width: 24rem; }
main.column > h1 { margin-bottom: 2rem; padding-bottom: 1rem; border-bottom: var(--title-rule); }
h1 { margin: 0 0 1rem; font-size: min(2.25rem, 0.75rem + 8vw); line-height: 1.15; text-wrap: balance; }
h2 { margin: 2.5rem 0 0.75rem; font-size: 1.375rem; line-height: 1.75rem; text-wrap: balance; }
.lead { margin: 0; font-size: 1.125rem; line-height: 1.75rem; text-wrap: pretty; }
.note { margin: 1.5rem 0 0; color: var(--muted); font-size: 0.9375rem; line-height: 1.5rem; }
a { color: var(--primary); text-underline-offset: 0.2em; }
a:hover { color: var(--primary-hover); }
.actions { display: grid; gap: 0.75rem; margin-top: 2rem; }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 44px; padding: 0 16px;
  border: 1px solid var(--primary); border-radius: var(--radius-md); background: var(--primary); color: var(--on-primary);
  font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer;
}
button:hover, .button:hover { background: var(--primary-hover); color: var(--on-primary); }
.button.secondary { border-color: var(--line-strong); background: var(--surface); color: var(--ink); }
.button.secondary:hover { border-color: var(--ink); background: var(--sunken); }
.column button, .column .button { width: 100%; }
a, button, input { outline-color: var(--focus); outline-offset: 2px; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
main:focus-visible { outline: none; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 16px; top: 8px; padding: 8px 12px; background: var(--surface); }
footer { border-top: 1px solid var(--line); color: var(--muted); font-size: 0.9375rem; }
footer .page { padding-block: 2rem; }
footer nav { display: flex; flex-wrap: wrap; gap: 0 1.5rem; margin-bottom: 0.75rem; }
footer nav a { display: inline-flex; align-items: center; min-height: 44px; min-width: 44px; color: inherit; text-decoration: none; }
.text { max-width: 68ch; line-height: 1.7; }
.text table { display: block; overflow-x: auto; }
.text img { max-width: 100%; height: auto; }
/* A row of its own begins at the edge of the text. */
@media (max-width: 30rem) {
  .masthead nav:has(:nth-child(4)) { margin-left: 0; }
}
@media (min-width: 48rem) {
  .page { padding-inline: 2rem; }
}
`
