import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { htmlHead } from './scripts/build/html-head.ts'

/** The server that `npm start` runs; a Vite development server in front of it passes the calls on. */
const server = 'http://localhost:3000'

export default defineConfig({
  plugins: [react(), tailwindcss(), htmlHead()],
  // Content is read by a plugin and nothing of it may be reachable by URL, so only public/ is served as it is.
  publicDir: 'public',
  build: {
    outDir: 'dist/client',
    emptyOutDir: true,
    manifest: false,
    // The polyfill would be one more script for browsers that are too old for the styles anyway.
    modulePreload: { polyfill: false },
    target: 'es2023',
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        // What every page begins with, in two files: the libraries, which change seldom and stay cached over releases, and
        // our own, which joins the entry. Left alone, what the entry shares with lazy pages falls into a dozen small files;
        // without the tag, what only a lazy page asks of a library would come along.
        codeSplitting: {
          groups: [
            { name: 'vendor', tags: ['$initial'], test: /node_modules\// },
            { name: 'own', tags: ['$initial'] },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/auth/v1', '/rest/v1', '/functions/v1', '/config.json', '/sandbox', '/healthz', '/landing-samples.json'].map(
        (path) => [path, server],
      ),
    ),
  },
})
