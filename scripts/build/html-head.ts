import type { Plugin } from 'vite'
import { publication } from '../../src/shared/publication.ts'

/** Latin upright faces: what every page needs. The other subsets are fetched only where a character asks for them. */
const preloadedFont = /(fraunces|instrument-sans)-latin-wght-normal[^/]*\.woff2$/

const escapeAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** Puts the publication's words into index.html and asks for the two faces before the stylesheet mentions them. */
export const htmlHead = (): Plugin => ({
  name: 'front-counter:html-head',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle }) {
      const words = {
        name: publication.name,
        title: `${publication.name}: ${publication.tagline}`,
        description: publication.description,
      }
      const worded = Object.entries(words).reduce(
        (text, [key, value]) => text.replaceAll(`%${key}%`, escapeAttribute(value)),
        html,
      )
      const fonts = Object.keys(bundle ?? {}).filter((file) => preloadedFont.test(file))
      return {
        html: worded,
        tags: fonts.map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: '' },
          injectTo: 'head-prepend' as const,
        })),
      }
    },
  },
})
