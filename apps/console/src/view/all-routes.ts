import { declaredOf } from '../declared/declared.ts'
import { hasItemPage } from '../resources/resource.ts'
import { resources } from '../resources/resources.ts'
import { NEW, pages } from './pages.ts'

/** The routes of all pages, with `{…}` for ids: tests visit each of them. */
export const allRoutes: string[][] = [
  ...pages.map(({ segments }) => segments),
  ...resources.flatMap((resource) => {
    const { segments, path } = resource
    return [
      segments,
      ...(declaredOf(path).create ? [[...segments, NEW]] : []),
      ...(hasItemPage(resource) ? [[...segments, '{id}']] : []),
    ]
  }),
]
