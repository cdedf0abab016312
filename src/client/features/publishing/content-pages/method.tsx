import { TrustedHtml } from '#client/ui/trusted-html.tsx'
import type { Method as MethodPage } from '#shared/contracts/publishing/content-pages.ts'

export function Method({ method }: { method: MethodPage }) {
  return (
    <div className="gap-16 pt-8 lg:grid lg:grid-cols-[minmax(0,1fr)_22rem]">
      <TrustedHtml html={method.html} />
      <section aria-labelledby="criteria" className="mt-12 self-start lg:mt-0">
        <h2 id="criteria" className="display border-b-2 border-ink pb-2 text-xl">
          What we look at in a tool
        </h2>
        <dl>
          {method.criteria.map(({ key, title, html }) => (
            <div key={key} className="border-b border-line py-4">
              <dt className="font-semibold">{title}</dt>
              <dd>
                <TrustedHtml html={html} className="mt-1 text-base leading-normal" />
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  )
}
