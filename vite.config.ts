import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { htmlHead } from './scripts/build/html-head.ts'
import { landingSamples } from './scripts/build/landing-samples.ts'

/** The server that `npm start` runs; a Vite development server in front of it passes the calls on. */
const server = 'http://localhost:3000'

export default defineConfig({
  plugins: [react(), tailwindcss(), landingSamples(), htmlHead()],
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
        // What every page needs in two files: the libraries, which change seldom and stay cached over releases, and our
        // own core. Left alone, the modules that the entry shares with lazy pages fall into a dozen small files.
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules\/(react|react-dom|react-router|scheduler|@tanstack|clsx|class-variance-authority)\/|lucide-react\/dist\/esm\/[^/]+$/,
            },
            {
              name: 'core',
              test: /src\/client\/(lib\/(call-error|load-backend|query-client|session|session-storage|toast)|ui\/(button|button-link|spinner))\.tsx?$/,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/auth/v1', '/rest/v1', '/functions/v1', '/config.json', '/sandbox', '/healthz'].map((path) => [path, server]),
    ),
  },
})
