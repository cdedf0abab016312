import { createElement, type SVGProps } from 'react'

type Shapes = readonly (readonly [string, Readonly<Record<string, string>>])[]

/** A component that draws the shapes. Without a label, it is hidden from screen readers. */
export const createIcon = (shapes: Shapes) => (props: SVGProps<SVGSVGElement>) =>
  createElement(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: 24,
      height: 24,
      viewBox: '0 0 24 24',
      fill: 'none',
      stroke: 'currentColor',
      strokeWidth: 2,
      strokeLinecap: 'round',
      strokeLinejoin: 'round',
      'aria-hidden': !props['aria-label'],
      ...props,
    },
    ...shapes.map(([tag, attributes]) => createElement(tag, attributes)),
  )
