const fonts = ['1em "Fraunces Variable"', '1em "Instrument Sans Variable"']

/** Resolves once the fonts of the first page are loaded, or can't be. */
export const loadFonts = () => Promise.allSettled(fonts.map((font) => document.fonts.load(font)))
