/** Resolves once the fonts of the first page are loaded, or can't be. Their families are those of the design. */
export function loadFonts() {
  const styles = getComputedStyle(document.documentElement)
  const families = ['--font-sans', '--font-display'].map((name) => styles.getPropertyValue(name).split(',')[0])
  return Promise.allSettled(families.map((family) => document.fonts.load(`1em ${family}`)))
}
