import 'reflect-metadata'
import { Body, Controller as Route, Delete, Get, Module, Param, Post, Query } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import {
  ApiBearerAuth,
  ApiBody,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiParam,
  ApiProperty,
  ApiQuery,
  ApiTags,
  DocumentBuilder,
  SwaggerModule,
} from '@nestjs/swagger'
import type { INestApplication } from '@nestjs/common'

// A description as @nestjs/swagger makes it of decorators. They are called as functions here.

class Owner {}
class Cat {}
class CreateCat {}
class CatsController {
  findAll() {}
  findOne() {}
  create() {}
  remove() {}
}
class CatsModule {}

type Decorator = (target: object, name: string, descriptor?: PropertyDescriptor) => unknown
function decorate(
  owner: { readonly prototype: object },
  name: string,
  ...decorators: readonly unknown[]
): void {
  const descriptor = Object.getOwnPropertyDescriptor(owner.prototype, name)
  for (const decorator of decorators) (decorator as Decorator)(owner.prototype, name, descriptor)
}
function property(owner: { readonly prototype: object }, name: string, options: object): void {
  decorate(owner, name, ApiProperty(options))
}

property(Owner, 'id', { type: 'integer' })
property(Owner, 'name', { type: String })
for (const owner of [Cat, CreateCat]) {
  property(owner, 'name', { type: String, description: 'What it is called.' })
  property(owner, 'breed', { enum: ['siamese', 'tabby'], required: false })
}
property(Cat, 'id', { type: 'integer' })
property(Cat, 'owner', { type: () => Owner, nullable: true })
property(Cat, 'bornAt', { type: Date })

const id = ApiParam({ name: 'id', type: Number })
decorate(
  CatsController,
  'findAll',
  Get(),
  ApiOkResponse({ type: [Cat] }),
  ApiQuery({ name: 'page', type: Number, required: false }),
)
decorate(CatsController, 'findOne', Get(':id'), id, ApiOkResponse({ type: Cat }))
decorate(CatsController, 'create', Post(), ApiBody({ type: CreateCat }), ApiCreatedResponse({ type: Cat }))
decorate(CatsController, 'remove', Delete(':id'), id, ApiNoContentResponse())
void [Body, Param, Query]
for (const decorator of [ApiTags('cats'), ApiBearerAuth(), Route('cats')])
  (decorator as (target: object) => void)(CatsController)
Module({ controllers: [CatsController] })(CatsModule)

/** A description as @nestjs/swagger makes it. */
export async function describeByNestjs(): Promise<object> {
  const context = await NestFactory.createApplicationContext(CatsModule, { logger: false })
  const config = {
    getGlobalPrefix: () => '',
    getGlobalPrefixOptions: () => ({}),
    getVersioning: () => undefined,
  }
  // No server is needed.
  const getHttpAdapter = () => ({ getType: () => 'express' })
  const application = Object.assign(context, { config, getHttpAdapter }) as unknown as INestApplication
  const source = SwaggerModule.createDocument(
    application,
    new DocumentBuilder().setTitle('Cats').addBearerAuth().build(),
  )
  await context.close()
  return source
}
