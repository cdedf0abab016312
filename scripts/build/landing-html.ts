/** Lets after-paint.js load the scripts, so that they don't delay text and fonts on slow connections. */
export function startAfterPaint(html: string): string {
  const entry = /<script type="module"[^>]* src="([^"]+)"><\/script>/.exec(html)
  if (!entry) throw new Error('index.html has no module script to start')
  const preload = /\s*<link rel="modulepreload"[^>]* href="([^"]+)">/g
  const parts = [...html.matchAll(preload)].map((match) => match[1])
  const starter = `<script src="/after-paint.js" defer data-entry="${entry[1]}" data-parts="${parts.join(' ')}"></script>`
  return html.replaceAll(preload, '').replace(entry[0], () => starter)
}

const stylesheet = /<link rel="stylesheet"[^>]* href="\/(assets\/[^"]+\.css)">/

/** The path of the page's style sheet, relative to the build directory. */
export function stylesheetOf(html: string): string {
  const path = stylesheet.exec(html)?.[1]
  if (!path) throw new Error('index.html has no style sheet')
  return path
}

/** Inlines the style sheet into the landing page, which saves first-time visitors a round trip. */
export function inlineStyles(html: string, styles: string): string {
  if (styles.includes('</')) throw new Error('The style sheet would close its own <style> element')
  return html.replace(stylesheet, () => `<style>${styles.trim()}</style>`)
}
