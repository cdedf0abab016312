import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { BackLink } from '#client/ui/back-link.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { usePageTitle } from '#client/ui/use-page-title.ts'
import { SiteFrame } from './site-frame.tsx'

type AuthFrameProps = {
  title: string
  /** The back link above the title. */
  back?: { to: string; label: string }
  wide?: boolean
  children: ReactNode
}

/** A single column for sign-in and related pages. */
export function AuthFrame({ title, back, wide = false, children }: AuthFrameProps) {
  usePageTitle(title)
  return (
    <SiteFrame>
      <div className="page pb-16 sm:pb-24">
        {back && <BackLink to={back.to}>{back.label}</BackLink>}
        <PageHeading title={title} art="bell" />
        <div className={clsx('pt-8', !wide && 'max-w-sm')}>{children}</div>
      </div>
    </SiteFrame>
  )
}

export const backToSignIn = { to: '/auth', label: 'Back to sign in' } as const
