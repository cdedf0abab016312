import type { LandingSamples } from '#shared/contracts/landing-samples.ts'

/** The first paragraph of the section that visitors may read. */
export function IssueSample({ drop: { title, opening, sections } }: { drop: NonNullable<LandingSamples['drop']> }) {
  if (!opening) return null
  return (
    <figure className="border-l-3 border-accent pl-5 sm:pl-7">
      <h4 className="display text-xl">{title}</h4>
      <p className="mt-4 font-semibold">{opening.heading}</p>
      <blockquote className="mt-1 max-w-[62ch] text-lg leading-8">
        <p>{opening.paragraph}</p>
      </blockquote>
      <figcaption className="mt-3 text-sm text-muted">
        The first paragraph of {sections.length === 1 ? 'its one section' : `one of its ${sections.length} sections`}.
        Members get the rest.
      </figcaption>
    </figure>
  )
}
