/** Leaves the entry and its parts to after-paint.js: on a slow phone they would take the line from text and fonts. */
export function startAfterPaint(html: string): string {
  const entry = /<script type="module"[^>]* src="([^"]+)"><\/script>/.exec(html)
  if (!entry) throw new Error('index.html has no module script to start')
  const part = /\s*<link rel="modulepreload"[^>]* href="([^"]+)">/g
  const parts = [...html.matchAll(part)].map((match) => match[1])
  const starter = `<script src="/after-paint.js" defer data-entry="${entry[1]}" data-parts="${parts.join(' ')}"></script>`
  return html.replaceAll(part, '').replace(entry[0], () => starter)
}

const stylesheet = /<link rel="stylesheet"[^>]* href="\/(assets\/[^"]+\.css)">/

/** The path of the page's stylesheet, below the folder of the built client. */
export function stylesheetOf(html: string): string {
  const path = stylesheet.exec(html)?.[1]
  if (!path) throw new Error('index.html has no stylesheet to bring along')
  return path
}

/**
 * The landing page brings its styles along: first-time visitors see it one round trip earlier. They are the styles of
 * the whole application, so going on from there asks for none.
 */
export function inlineStyles(html: string, styles: string): string {
  if (styles.includes('</')) throw new Error('The stylesheet would end its own <style>')
  return html.replace(stylesheet, () => `<style>${styles.trim()}</style>`)
}
