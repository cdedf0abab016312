import { prerender } from 'react-dom/static'
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router'
import { LandingContext } from '#client/features/publishing/landing/landing-content.ts'
import type { LandingContent } from '#shared/contracts/library/landing-samples.ts'
import { createRoutes, loadLandingPage } from './routes.tsx'

/**
 * Renders the landing page for a signed-out visitor, in a worker that has the publication of this one document
 * (server/http/landing-page.ts). Runs at build time and when its content or the settings change.
 */
export async function renderPage(path: string, content: LandingContent): Promise<string> {
  const { LandingPage } = await loadLandingPage()
  const handler = createStaticHandler(createRoutes(LandingPage))
  const context = await handler.query(new Request(new URL(path, 'http://localhost')))
  if (context instanceof Response) throw new Error(`${path} returned status ${context.status} instead of a page`)
  // hydrate={false} leaves out an inline script that the content security policy forbids.
  const { prelude } = await prerender(
    <LandingContext value={content}>
      <StaticRouterProvider
        router={createStaticRouter(handler.dataRoutes, context)}
        context={context}
        hydrate={false}
      />
    </LandingContext>,
  )
  return new Response(prelude).text()
}
