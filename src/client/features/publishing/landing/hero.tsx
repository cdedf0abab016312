import type { ReactNode } from 'react'
import { publication } from '#client/lib/publication.ts'
import type { LandingContent } from '#shared/contracts/library/landing-samples.ts'
import { hasPage } from '#shared/domain/built-in-pages.ts'
import { FocusDemo } from './focus-demo.tsx'

/** `action` is the main button, whose label depends on the visitor's subscription. */
export function Hero({ action, content: { drop, texts, editor } }: { action: ReactNode; content: LandingContent }) {
  return (
    <section className="page grid gap-x-16 gap-y-12 pt-12 pb-16 sm:pt-16 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:pt-20 lg:pb-24">
      <div className="lg:sticky lg:top-16 lg:self-start">
        <h1 className="display text-4xl lg:text-5xl">{texts.hero.title}</h1>
        <p className="mt-6 max-w-[46ch] text-lg text-muted">{texts.hero.text}</p>
        <div className="mt-8 grid justify-items-start gap-y-3">
          {action}
          <p className="text-sm text-muted">{texts.hero.note}</p>
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
