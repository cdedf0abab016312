import type { Plugin } from 'vite'
import { fillDocument } from '../../src/shared/domain/document-fields.ts'
import { publicationDefaults } from '../../src/shared/publication-defaults.ts'

/** The upright Latin fonts of all designs; the server leaves those of the chosen one. Browsers load other subsets as needed. */
const preloadedFont = /((?:fraunces|instrument-sans)-latin-(?:wght|opsz|standard))-normal[^/]*\.woff2$/

const defaults = /\/src\/shared\/publication-defaults\.ts$/

/** Replaces the defaults with the publication of the one document that the bundle is for. */
const publicationOf = (isSsr: boolean, imports: string, value: string): Plugin => ({
  name: 'front-counter:publication',
  apply: (_, { command, isSsrBuild = false }) => command === 'build' && isSsrBuild === isSsr,
  load: { filter: { id: defaults }, handler: () => `${imports}\nexport const publicationDefaults = ${value}` },
})

/**
 * Preloads fonts. The server fills in the publication's settings (client-files.ts), and the browser's bundle reads
 * them from the document; the renderer of the landing page is a worker that gets them. The development server has no settings, so it fills in the defaults.
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
            attrs: {
              ...{ rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: '' },
              'data-font': preloadedFont.exec(file)?.[1],
            },
            injectTo: 'head-prepend' as const,
          })),
        }
      },
    },
  },
  publicationOf(false, '', 'JSON.parse(document.getElementById("publication").textContent)'),
  publicationOf(true, 'import { workerData } from "node:worker_threads"', 'workerData.publication'),
]
