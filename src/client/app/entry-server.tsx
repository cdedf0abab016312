import { prerender } from 'react-dom/static'
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router'
import { LandingSamplesContext } from '#client/features/landing/landing-samples.ts'
import type { LandingSamples } from '#shared/contracts/landing-samples.ts'
import { createRoutes, loadLandingPage } from './routes.tsx'

/** Renders the landing page for a signed-out visitor. Runs at build time and when the landing samples change. */
export async function renderPage(path: string, samples: LandingSamples): Promise<string> {
  const { LandingPage } = await loadLandingPage()
  const handler = createStaticHandler(createRoutes(LandingPage))
  const context = await handler.query(new Request(new URL(path, 'http://localhost')))
  if (context instanceof Response) throw new Error(`${path} returned status ${context.status} instead of a page`)
  // hydrate={false} leaves out an inline script that the content security policy forbids.
  const { prelude } = await prerender(
    <LandingSamplesContext value={samples}>
      <StaticRouterProvider
        router={createStaticRouter(handler.dataRoutes, context)}
        context={context}
        hydrate={false}
      />
    </LandingSamplesContext>,
  )
  return new Response(prelude).text()
}
