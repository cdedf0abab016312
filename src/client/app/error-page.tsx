import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { Button } from '#client/ui/button.tsx'
import { ButtonAnchor } from '#client/ui/button-link.tsx'
import { SkipLink } from '#client/ui/skip-link.tsx'
import { isMissingChunk } from './chunk-recovery.ts'
import { SiteFrame } from './layouts/site-frame.tsx'

/** Whatever a page throws ends here: what happened and what to do, never a stack. */
export function ErrorPage() {
  const error = useRouteError()
  const missing = isMissingChunk(error)
  useEffect(() => {
    console.error('A page failed', error)
  }, [error])
  return (
    <>
      <SkipLink />
      <SiteFrame>
        <div className="page py-20">
          <h1 className="display text-3xl">{missing ? 'This page did not arrive' : 'This page stopped working'}</h1>
          <p className="mt-3 max-w-[62ch] text-lg text-muted">
            {missing
              ? 'Part of it could not be loaded. Check your connection, then load it again.'
              : 'The mistake is ours and nothing of yours is lost. Loading the page again usually helps.'}
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            <Button onClick={() => window.location.reload()}>Load again</Button>
            <ButtonAnchor href="/" variant="secondary">
              Return to Home
            </ButtonAnchor>
          </div>
        </div>
      </SiteFrame>
    </>
  )
}
