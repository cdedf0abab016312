const fonts = ['1em "Fraunces Variable"', '1em "Instrument Sans Variable"']
const timeoutMs = 1_500

/**
 * Resolves once the fonts are loaded, but soon on a very slow line. They arrive after the scripts
 * (early/start-requests.ts), and would move text that is on the screen already.
 */
export async function whenFontsReady(): Promise<null> {
  const loaded = Promise.allSettled(fonts.map((font) => document.fonts.load(font)))
  await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, timeoutMs))])
  return null
}
