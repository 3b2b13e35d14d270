import { type ReactNode, createElement } from 'react'

/**
 * A part of a page that the server writes once for each value it has, or not at all: see template.ts.
 * `[[name]]` in the texts and attributes inside stands for a value.
 */
export const Part = ({ name, children }: { name: string; children: ReactNode }) =>
  createElement('x-part', { name }, children)
