import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'

/** Calls with the elements for the settings of each heading, in the order of the text, whenever they change. */
export const sectionPlaces = (onChange: (places: readonly HTMLElement[]) => void): Plugin =>
  new Plugin({
    view: (view) => {
      let places = placesOf(view)
      onChange(places)
      return {
        update: (_view, { doc }) => {
          if (view.state.doc === doc) return
          const next = placesOf(view)
          if (next.length === places.length && next.every((place, index) => place === places[index])) return
          places = next
          onChange(places)
        },
        destroy: () => onChange([]),
      }
    },
  })

const placesOf = ({ dom }: EditorView): HTMLElement[] => [
  ...dom.querySelectorAll<HTMLElement>(':scope > .section-heading > .section-settings'),
]
