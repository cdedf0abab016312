import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunkGroups } from './scripts/build/chunk-groups.ts'
import { directIcons } from './scripts/build/direct-icons.ts'
import { htmlHead } from './scripts/build/html-head.ts'
import { stripSchemas } from './scripts/build/strip-schemas.ts'
import { refuseTopLevelAwait } from './scripts/build/top-level-await.ts'
import { trimLibraries } from './scripts/build/trim-libraries.ts'

/** The server that `npm start` runs; a Vite development server in front of it passes the calls on. */
const server = 'http://localhost:3000'

export default defineConfig({
  plugins: [directIcons(), react(), tailwindcss(), htmlHead(), trimLibraries(), stripSchemas(), refuseTopLevelAwait()],
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
    // Only editors load a larger chunk. The build has budgets for what readers load.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        // Hashes don't compress, and the entry names every chunk: seven characters are enough, and save a byte for each of about 65.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: { groups: chunkGroups() },
        // For what waits until the entry is here (src/client/early). And zod, which loads later, doesn't try `eval`, which
        // our policy refuses and Firefox reports.
        intro: ({ isEntry }) =>
          isEntry ? 'globalThis.entryArrived?.();globalThis.__zod_globalConfig={jitless:true};' : '',
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      [
        ...['/auth/v1', '/rest/v1', '/functions/v1', '/config.json', '/sandbox', '/healthz', '/landing-samples.json'],
        ...['/drops', '/glossary', '/safety', '/method', '/about', '/feed.', '/pages', '/public-pages.css'],
      ].map((path) => [path, server]),
    ),
  },
})
