import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { publication } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import type { LandingContent } from '#shared/contracts/library/landing-samples.ts'
import { hasPage } from '#shared/domain/built-in-pages.ts'
import { FocusDemo } from './focus-demo.tsx'

/** `action` is the main button, whose label depends on the visitor's subscription. */
export function Hero({ action, content: { drop, texts, editor } }: { action: ReactNode; content: LandingContent }) {
  return (
    <section className="page grid gap-x-16 gap-y-6 pt-12 pb-16 sm:pt-16 lg:grid-cols-[minmax(0,13fr)_minmax(0,11fr)] lg:pb-24">
      <h1 className="display text-4xl lg:text-5xl">{texts.hero.title}</h1>
      <div className="lg:pt-2">
        <p className="max-w-[46ch] text-lg text-muted">{texts.hero.text}</p>
        <div className="mt-8 grid justify-items-start gap-y-3">
          {action}
          <p className="text-sm text-muted">{texts.hero.note}</p>
          {/* Hidden if theme.js found a stored session: signed-in readers choose their emails in their account. */}
          <form method="post" action="/free" className="mt-5 w-full max-w-md in-data-session:hidden">
            <label htmlFor="free-email" className="text-sm font-semibold">
              Email for the free edition
            </label>
            <div className="mt-1.5 flex flex-wrap gap-2">
              <input
                id="free-email"
                name="email"
                type="email"
                autoComplete="email"
                required
                maxLength={254}
                className={clsx(inputStyles, 'min-w-0 flex-[1_1_12rem]')}
              />
              <Button type="submit" variant="secondary" className="grow">
                Get the free edition
              </Button>
            </div>
          </form>
          {editor && (
            <p className="text-sm text-muted">
              Written by{' '}
              {hasPage(publication, 'about') ? (
                <a href="/about" className="text-link inline-flex min-h-11 items-center">
                  {editor}
                </a>
              ) : (
                editor
              )}
            </p>
          )}
        </div>
      </div>
      {/* The order of a single text can’t change. */}
      {drop && drop.sections.length > 1 && <FocusDemo drop={drop} />}
    </section>
  )
}
