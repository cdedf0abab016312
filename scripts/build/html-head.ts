import type { Plugin } from 'vite'
import { publication } from '../../src/shared/publication.ts'

/** Every page needs the upright Latin fonts. Browsers load other subsets when a character needs them. */
const preloadedFont = /(fraunces|instrument-sans)-latin-wght-normal[^/]*\.woff2$/

const escapeAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** Inserts the publication's texts into index.html and preloads two fonts. */
export const htmlHead = (): Plugin => ({
  name: 'front-counter:html-head',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle }) {
      const texts = {
        name: publication.name,
        title: `${publication.name}: ${publication.tagline}`,
        description: publication.description,
      }
      const filled = Object.entries(texts).reduce(
        (text, [key, value]) => text.replaceAll(`%${key}%`, escapeAttribute(value)),
        html,
      )
      const fonts = Object.keys(bundle ?? {}).filter((file) => preloadedFont.test(file))
      return {
        html: filled,
        tags: fonts.map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: '' },
          injectTo: 'head-prepend' as const,
        })),
      }
    },
  },
})
