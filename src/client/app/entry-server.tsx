import { prerender } from 'react-dom/static'
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router'
import { LandingSamplesContext } from '#client/features/landing/landing-samples.ts'
import type { LandingSamples } from '#shared/contracts/landing-samples.ts'
import { routes } from './routes.tsx'

/** The markup of an eager route, for a visitor who is signed out. Runs at build time, and when samples change. */
export async function renderPage(path: string, samples: LandingSamples): Promise<string> {
  const handler = createStaticHandler(routes)
  const context = await handler.query(new Request(new URL(path, 'http://localhost')))
  if (context instanceof Response) throw new Error(`${path} answered ${context.status} instead of a page`)
  // hydrate={false}: the data script it would add is inline, which the content security policy forbids.
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
