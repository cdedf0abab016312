import type { Plugin } from 'vite'
import { fillDocument } from '../../src/shared/domain/document-fields.ts'
import { publicationDefaults } from '../../src/shared/publication-defaults.ts'

/** Every page needs the upright Latin fonts. Browsers load other subsets when a character needs them. */
const preloadedFont = /(fraunces|instrument-sans)-latin-wght-normal[^/]*\.woff2$/

const defaults = /\/src\/shared\/publication-defaults\.ts$/

/**
 * Preloads two fonts. The server fills in the publication's settings (client-files.ts), and the browser's bundle reads
 * them from the document. The development server has no settings, so it fills in the defaults.
 */
export const htmlHead = (): Plugin[] => [
  {
    name: 'front-counter:html-head',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle, server }) {
        const fonts = Object.keys(bundle ?? {}).filter((file) => preloadedFont.test(file))
        return {
          html: server ? fillDocument(html, publicationDefaults) : html,
          tags: fonts.map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: '' },
            injectTo: 'head-prepend' as const,
          })),
        }
      },
    },
  },
  {
    name: 'front-counter:publication',
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    load: {
      filter: { id: defaults },
      handler: () =>
        'export const publicationDefaults = JSON.parse(document.getElementById("publication").textContent)',
    },
  },
]
