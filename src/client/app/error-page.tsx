import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { Button, ButtonAnchor } from '#client/ui/button.tsx'
import { SkipLink } from '#client/ui/skip-link.tsx'
import { isMissingChunk } from './chunk-recovery.ts'
import { SiteFrame } from './layouts/site-frame.tsx'

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
          <h1 className="display text-3xl">{missing ? 'This page didn’t load' : 'Something went wrong'}</h1>
          <p className="mt-3 max-w-[62ch] text-lg text-muted">
            {missing
              ? 'Check your connection, then reload the page.'
              : 'This page stopped working because of an error on our end. Your data is safe. Reload the page to try again.'}
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            <Button onClick={() => window.location.reload()}>Reload page</Button>
            <ButtonAnchor href="/" variant="secondary">
              Return to Home
            </ButtonAnchor>
          </div>
        </div>
      </SiteFrame>
    </>
  )
}
