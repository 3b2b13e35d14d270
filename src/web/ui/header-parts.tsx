import { type ComponentType, createContext, useContext } from 'react'

/** The parts of rooms in the header of every signed-in page. The root of the app lists it. */
export const HeaderPartsContext = createContext<readonly ComponentType[]>([])

export function HeaderParts() {
  // oxlint-disable-next-line react/no-array-index-key -- the list never changes
  return useContext(HeaderPartsContext).map((Part, index) => <Part key={index} />)
}
