import { AbstractInstanceType } from '@rest-hooks/rest';
import Base from './Base';

export default class User extends Base {
  readonly name: string = '';
  static urlRoot = '/user';
  static getEndpointExtra() {
    return { ...super.getEndpointExtra(), pollFrequency: 5_000 };
  }
}
export type UserFields = AbstractInstanceType<typeof User>;
